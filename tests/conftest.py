from hypothesis import settings

settings.register_profile("moselect", deadline=None)  # of a machine that does other things, too
settings.load_profile("moselect")
