interface Track {
  readonly endpoint: string
  readonly key: string
  readonly times: number[]
  refused: number
  running: number
  mostAtOnce: number
}

/** Counts calls by endpoint and caller. The times are real, not those of the fake's clock. */
export class Calls {
  private tracks = new Map<string, Track>()

  /** Counts the start of a call. The returned function counts its end, with the response status. */
  begin(endpoint: string, key: string): (status: number) => void {
    const track = this.trackOf(endpoint, key)
    track.times.push(performance.now())
    track.mostAtOnce = Math.max(track.mostAtOnce, ++track.running)
    return (status) => {
      track.running--
      if (status >= 400) track.refused++
    }
  }

  reset(): void {
    this.tracks = new Map()
  }

  /** Returns the counts, with the most calls of a key to an endpoint in any window of each length. */
  report(windows: readonly number[]): object {
    const tracks = [...this.tracks.values()]
    const byEndpoint: Record<string, number> = {}
    for (const { endpoint, times } of tracks)
      byEndpoint[endpoint] = (byEndpoint[endpoint] ?? 0) + times.length
    return {
      total: tracks.reduce((sum, { times }) => sum + times.length, 0),
      refused: tracks.reduce((sum, { refused }) => sum + refused, 0),
      byEndpoint,
      byKey: tracks.map(({ endpoint, key, times, refused, mostAtOnce }) => ({
        endpoint,
        key,
        calls: times.length,
        refused,
        mostAtOnce,
        most: Object.fromEntries(windows.map((window) => [window, mostWithin(times, window)])),
      })),
    }
  }

  private trackOf(endpoint: string, key: string): Track {
    const id = `${key} ${endpoint}`
    const track = this.tracks.get(id) ?? { endpoint, key, times: [], refused: 0, running: 0, mostAtOnce: 0 }
    this.tracks.set(id, track)
    return track
  }
}

function mostWithin(times: readonly number[], window: number): number {
  let [most, first] = [0, 0]
  for (const [index, at] of times.entries()) {
    while (at - (times[first] as number) >= window) first++
    most = Math.max(most, index - first + 1)
  }
  return most
}
