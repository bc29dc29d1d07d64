/** A clock that stands still until a test moves it. */
export class FakeClock {
  constructor(private at: number) {}

  readonly now = (): number => this.at

  move(to: { now?: string; advanceMilliseconds?: number }): void {
    this.at = to.now === undefined ? this.at + (to.advanceMilliseconds ?? 0) : Date.parse(to.now)
  }
}
