interface Options {
  /** The short form, for CI. */
  quick: boolean
  /** How many processes the service has, where the scenario leaves that open. */
  workers: number
}

export interface Outcome {
  /** What the figures were taken on; it is told with them. */
  setting: string
  /** For people, in Markdown. */
  figures: string
  /** The same for programs. */
  data: unknown
  /** An SVG, where one says more than the figures. */
  plot?: string
  /** What was demanded and not reached, as sentences. */
  missed: string[]
}

/** One question to the service. What it starts ends with `resources`. */
export type Scenario = (resources: AsyncDisposableStack, options: Options) => Promise<Outcome>
