import { setTimeout as wait } from 'node:timers/promises'
import { Random } from '../../fuzz/random.ts'
import type { Counts } from './counts.ts'
import { type Cardholders, drawAuthorization, drawCapture } from './drawn-purchases.ts'
import type { Findings } from './findings.ts'
import { type Outcome, sendPurchase, type SentPurchase } from './purchase-request.ts'
import type { RecordedAnswers } from './recorded-answers.ts'

/** Time after which a client no longer repeats a purchase. */
const GIVE_UP_MS = 90_000
const RETRY_MS = { first: 50, most: 500 }
const CAPTURED = 0.25
const TWICE_AT_ONCE = 0.1
const ONCE_MORE = 0.05

interface ClientTools {
  readonly urls: readonly string[]
  readonly cardholders: Cardholders
  readonly findings: Findings
  readonly counts: Counts
  readonly answers: RecordedAnswers
}

/** Clients that send purchases at the same time, and repeat each until its check is recorded. */
export class Clients {
  private readonly sent: SentPurchase[] = []
  private started = 0

  constructor(
    private readonly tools: ClientTools,
    private readonly size: { readonly checks: number; readonly clients: number; readonly seed: number },
  ) {}

  /** Sends all purchases. */
  async play(): Promise<void> {
    await this.atOnce((random) => this.playOne(random))
  }

  /** Sends some keys once more, and all that have no recorded answer yet. */
  async sendAgain(): Promise<void> {
    const { answers, counts, findings } = this.tools
    const drawn = new Random(this.size.seed)
    const again = this.sent.filter(({ key }) => !answers.of(key) || drawn.chance(ONCE_MORE))
    counts.sentAgain = again.length
    await this.atOnce(async (random) => {
      for (let next = again.pop(); next; next = again.pop())
        if (!(await this.deliver(random, next))) findings.add('unanswered', next.key)
    })
  }

  private async atOnce(work: (random: Random) => Promise<void>): Promise<void> {
    const { clients, seed } = this.size
    await Promise.all(Array.from({ length: clients }, (_, client) => work(new Random(seed * 1000 + client))))
  }

  private async playOne(random: Random): Promise<void> {
    const { cardholders, answers, counts } = this.tools
    while (this.started < this.size.checks) {
      const number = ++this.started
      const authorization = drawAuthorization(random, number, cardholders)
      await this.purchase(random, authorization)
      const made = answers.of(authorization.key)
      if (!made || !random.chance(CAPTURED) || this.started >= this.size.checks) continue
      this.started++
      counts.captures++
      await this.purchase(random, drawCapture(random, number, made.id))
    }
  }

  private async purchase(random: Random, purchase: SentPurchase): Promise<void> {
    const { counts } = this.tools
    this.sent.push(purchase)
    const isTwice = random.chance(TWICE_AT_ONCE)
    if (isTwice) counts.sentTwiceAtOnce++
    const deliveries = Array.from({ length: isTwice ? 2 : 1 }, () => this.deliver(random, purchase))
    const delivered = await Promise.all(deliveries)
    if (!delivered.includes(true)) counts.givenUp++
  }

  /** Repeats a purchase until its check is recorded. Returns whether it is, before the client gives up. */
  private async deliver(random: Random, purchase: SentPurchase): Promise<boolean> {
    const { counts, answers } = this.tools
    const begun = performance.now()
    for (let tries = 0; performance.now() - begun < GIVE_UP_MS; tries++) {
      if (tries > 0) counts.retries++
      const outcome = await this.attempt(random, purchase)
      if (outcome.kind === 'answered' && outcome.recorded) {
        answers.add(purchase, outcome)
        return true
      }
      await wait(Math.min(RETRY_MS.most, RETRY_MS.first * 2 ** tries))
    }
    return false
  }

  /** Sends a purchase to one of the gateways, by GraphQL or REST. */
  private async attempt(random: Random, purchase: SentPurchase): Promise<Outcome> {
    const { urls, cardholders, counts, findings } = this.tools
    const via = {
      url: random.pick(urls),
      api: random.chance(0.5) ? 'graphql' : 'rest',
      secretKey: cardholders.secretKey,
    } as const
    const { fault } = counts
    const begun = performance.now()
    const outcome = await sendPurchase(via, purchase)
    counts.add(outcome, performance.now() - begun, fault)
    if (outcome.kind === 'hung') findings.add('hung', `${purchase.key} by ${via.api} at ${via.url}`)
    if (outcome.kind === 'undocumented') findings.add('undocumented', `${purchase.key}: ${outcome.text}`)
    return outcome
  }
}
