/** How far the shutdown of a process has come. */
export class Draining {
  /** Reports that it is not ready, so that it gets no new requests; those that arrive all the same are served. */
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
