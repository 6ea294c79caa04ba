/** A number that a double might not hold exactly, as it was written. */
export class NumberLiteral {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }
}
