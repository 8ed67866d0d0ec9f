"""Print the versions of the documentation for its version switcher.

python docs/project/list_versions.py v0.1.0 v0.2.0
"""

import json
import sys

versions = [{"version": tag, "url": f"/{tag}/"} for tag in reversed(sys.argv[1:])]
print(json.dumps([{"version": "latest", "url": "/"}, *versions], indent=2))  # noqa: T201
