export interface CallOptions {
  /** Aborts the call: it rejects with the reason of the signal. */
  signal?: AbortSignal | undefined
}

export interface CreateOptions extends CallOptions {
  /**
   * By this the service recognizes calls that create the same thing. Each call generates one and keeps it when it is retried.
   * Pass your own, 1 to 255 printable ASCII characters, if a later call, perhaps of another process, may repeat this one.
   * The service remembers it for 24 hours, and rejects a different body with it: `idempotency_key_reused`.
   */
  idempotencyKey?: string | undefined
}
