"""What opens above the debugger's screen: help, dialogs, lists."""
