"""How a Jupyter server of the course sends what a kernel says: at once. It is copied to where Jupyter looks for it.

A server leaves TCP's default in place, by which a small message waits until the one before has been acknowledged; a
browser takes its time for that, so every second change of a board came 40 to 50 ms late.
"""

from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection


class AtOnce(ZMQChannelsWebsocketConnection):
    """The connection between a browser and a kernel."""

    def connect(self):
        """Begin to pass messages on."""
        self.websocket_handler.set_nodelay(True)
        return super().connect()


c = get_config()  # noqa: F821  # Jupyter defines it
c.ServerApp.kernel_websocket_connection_class = AtOnce
