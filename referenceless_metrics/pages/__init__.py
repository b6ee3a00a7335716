"""Charts, drawings and templates of reports and web pages."""
