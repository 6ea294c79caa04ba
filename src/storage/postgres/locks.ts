/** The advisory locks of the service: numbers that no other program on this database takes. */
export const LOCKS = {
  migrations: 7_377_301_115,
  idempotencyPruner: 7_377_301_116,
  orderExpiry: 7_377_301_117,
  sequencer: 7_377_301_118,
  imports: 7_377_301_119,
  eventPruner: 7_377_301_120,
  newWebhooks: 7_377_301_121,
  sessionPruner: 7_377_301_122,
  words: 7_377_301_123,
}
