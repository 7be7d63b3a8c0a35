"""Server for agents: shlo's commands as tools of the Model Context Protocol."""
