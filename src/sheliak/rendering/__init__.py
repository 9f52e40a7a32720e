"""How findings look: for people, for editors, for the services that run checks. One module per format."""
