from .page_of_front import make_page as make_page
