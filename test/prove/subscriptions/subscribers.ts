import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Opening, SubscriberReport } from './subscribers-program.ts'

type Counted = Extract<SubscriberReport, { least: number }>

export const programOf = (name: string): string => join(process.cwd(), 'dist/test/prove/subscriptions', name)

const LOOK_MS = 100

/** Subscribers in separate processes. */
export class Subscribers implements AsyncDisposable {
  private readonly children: readonly ChildProcess[]

  constructor(processes: number) {
    this.children = Array.from({ length: processes }, () => fork(programOf('subscribers-program.js')))
  }

  async open(opening: Opening): Promise<void> {
    const share = Math.ceil(opening.sockets / this.children.length)
    await Promise.all(
      this.children.map((child, at) => {
        const sockets = Math.min(share, opening.sockets - at * share)
        return requested(child, { open: { ...opening, sockets } })
      }),
    )
  }

  /** Waits until each subscription has this many responses. Returns the times of the first and the last. */
  async received(each: number, longestMs: number): Promise<Counted> {
    const until = Date.now() + longestMs
    for (;;) {
      const counted = await this.count()
      if (counted.least >= each) return counted
      if (counted.closed > 0) throw new Error(`${counted.closed} sockets were closed`)
      if (Date.now() > until)
        throw new Error(`after ${longestMs} ms some have ${counted.least} of ${each} responses`)
      await wait(LOOK_MS)
    }
  }

  /** Waits until no more responses arrive, and resets the counts. */
  async settle(): Promise<void> {
    for (let before = -1, { total } = await this.count(); total !== before; { total } = await this.count()) {
      before = total
      await wait(15 * LOOK_MS)
    }
    for (const child of this.children) child.send({ reset: true })
  }

  async count(): Promise<Counted> {
    const reported = await Promise.all(
      this.children.map((child) => requested(child, { count: true }) as Promise<Counted>),
    )
    const of = (name: keyof Counted) => reported.map((one) => one[name])
    const sum = (name: keyof Counted) => of(name).reduce((all, one) => all + one, 0)
    return {
      least: Math.min(...of('least')),
      firstAt: Math.min(...of('firstAt')),
      lastAt: Math.max(...of('lastAt')),
      total: sum('total'),
      bytes: sum('bytes'),
      closed: sum('closed'),
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.children) {
      const exited = once(child, 'exit')
      child.disconnect()
      await exited
    }
  }
}

async function requested(child: ChildProcess, question: object): Promise<SubscriberReport> {
  const answer = once(child, 'message')
  child.send(question)
  return ((await answer) as [SubscriberReport])[0]
}
