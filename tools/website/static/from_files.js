// A page opened as a file may not read another: then search shows titles, without what stands below them.
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
