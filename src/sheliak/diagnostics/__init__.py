"""What Sheliak can tell a user about a spec: findings as data, prose made last."""
