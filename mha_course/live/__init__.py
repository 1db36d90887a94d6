"""The widgets of the course: state plus the same pictures. The only layer that knows anywidget."""
