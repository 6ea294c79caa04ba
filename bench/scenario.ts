export interface Options {
  /** The short form, for CI. */
  quick: boolean
  /** How many processes the service has, unless the scenario decides that. */
  workers: number
  /** The version to compare with, for `against`. */
  ref: string | undefined
  /** The operations to compare, for `against`; if none is named, it decides. */
  operations: string[]
}

export interface Outcome {
  /** What was measured; printed with the figures. */
  setting: string
  /** For people, in Markdown. */
  figures: string
  /** The same for programs. */
  data: unknown
  /** An SVG, if the scenario has one. */
  plot?: string
  /** The targets that were missed, as sentences. */
  missed: string[]
}

/** One measurement of the service. The processes that it starts end with `resources`. */
export type Scenario = (resources: AsyncDisposableStack, options: Options) => Promise<Outcome>
