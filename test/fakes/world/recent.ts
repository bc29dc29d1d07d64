/** Cache of the last computed values, with a fixed size. */
export class Recent<T> {
  private readonly known = new Map<number, T>()

  constructor(private readonly most: number) {}

  get(key: number, compute: () => T): T {
    const known = this.known.get(key)
    if (known !== undefined) this.known.delete(key)
    const value = known ?? compute()
    this.known.set(key, value)
    if (this.known.size > this.most) this.known.delete(this.known.keys().next().value as number)
    return value
  }
}
