/** How far a process has come in shutting down. */
export class Draining {
  /** It reports that it is not ready, so that no new requests are sent to it; those that arrive all the same are served. */
  hasBegun = false
  /** Every response is the last one on its connection. */
  endsConnections = false

  begin() {
    this.hasBegun = true
  }

  endConnections() {
    this.endsConnections = true
  }
}
