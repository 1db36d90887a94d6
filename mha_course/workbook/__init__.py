"""The engine of a workbook: what a course stands on, whatever its subject."""
