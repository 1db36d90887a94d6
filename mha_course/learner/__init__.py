"""Where hubs that were set up with version 0.8 or before look for the merge driver."""
