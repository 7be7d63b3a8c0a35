"""What panes show, decided once as plain data: terminal, notebook and web views only draw it."""
