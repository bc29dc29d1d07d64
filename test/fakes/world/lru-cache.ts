/** Cache that drops the least recently used value when it is full. */
export class LruCache<T> {
  private readonly values = new Map<number, T>()

  constructor(private readonly maxSize: number) {}

  get(key: number, compute: () => T): T {
    const cached = this.values.get(key)
    if (cached !== undefined) this.values.delete(key)
    const value = cached ?? compute()
    this.values.set(key, value)
    if (this.values.size > this.maxSize) this.values.delete(this.values.keys().next().value as number)
    return value
  }
}
