"""The running table: owns camera, readers, referee and session, and publishes what happens as plain views."""
