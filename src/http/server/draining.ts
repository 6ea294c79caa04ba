/** How far a process has come in shutting down. */
export class Draining {
  /** It is not ready any more, so that nobody sends it new calls; those that come all the same are answered as ever. */
  hasBegun = false
  /** Every answer is the last one on its connection. */
  endsConnections = false

  begin() {
    this.hasBegun = true
  }

  endConnections() {
    this.endsConnections = true
  }
}
