import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { consumerConnection, oncePerMinute, producerConnection } from './redis-connection.ts'
import { toError } from './retry.ts'

/** Tells whoever listens that there is something new to look up. It carries no data, and a ring may be spare. */
export interface Doorbell {
  /** Calls every ear of the topic, in every process. It neither throws nor waits. */
  ring(topic: string): void

  /** Calls the ear at every ring of the topic until the returned function is called. */
  listen(topic: string, ear: () => void): () => void

  close(): Promise<void>
}

export interface DoorbellOptions {
  /** Told of an ear that throws and, at most once a minute, of a Redis out of reach. */
  readonly onError?: (error: Error) => void
}

export function inProcessDoorbell(options: DoorbellOptions = {}): Doorbell {
  const ears = new Ears(options.onError ?? warn)

  return {
    ring: (topic) => ears.call(topic),
    listen: (topic, ear) => ears.add(topic, ear),
    close: async () => ears.clear(),
  }
}

const LAST_RINGS_MS = 1_000
const LOOK_MS = 5

export interface RedisDoorbellOptions extends DoorbellOptions {
  readonly redisUrl: string
  readonly prefix: string
}

/**
 * Rings across processes. Rings can get lost while a process is without Redis, so each time its connection is
 * made, also the first time, all its ears are called once.
 */
export function redisDoorbell(options: RedisDoorbellOptions): Doorbell {
  return new RedisDoorbell(options)
}

class RedisDoorbell implements Doorbell {
  private readonly origin = randomUUID()
  private readonly channel: string
  private readonly ears: Ears
  private readonly trouble: (error: Error) => void
  private readonly publisher
  private readonly subscriber
  private readonly unsent = new Set<string>()
  private closed = false

  constructor({ redisUrl, prefix, onError = warn }: RedisDoorbellOptions) {
    this.channel = `${prefix}:doorbell`
    this.ears = new Ears(onError)
    this.trouble = oncePerMinute((error) => {
      if (!this.closed) onError(error)
    })
    this.publisher = this.connectPublisher(redisUrl)
    this.subscriber = this.connectSubscriber(redisUrl)
  }

  ring(topic: string): void {
    if (this.closed) return
    this.ears.call(topic)
    this.publish(topic)
  }

  listen(topic: string, ear: () => void): () => void {
    return this.ears.add(topic, ear)
  }

  async close(): Promise<void> {
    this.closed = true
    this.ears.clear()
    await this.sent()
    this.publisher.disconnect()
    this.subscriber.disconnect()
  }

  /** A process that rings once and ends has hardly a connection by then. */
  private async sent(): Promise<void> {
    const until = Date.now() + LAST_RINGS_MS
    while (this.unsent.size > 0 && Date.now() < until) await sleep(LOOK_MS)
  }

  private connectPublisher(redisUrl: string) {
    const publisher = producerConnection(redisUrl)
    publisher.on('error', this.trouble)
    publisher.on('ready', () => {
      for (const topic of this.unsent) this.publish(topic)
    })
    return publisher
  }

  private connectSubscriber(redisUrl: string) {
    const subscriber = consumerConnection(redisUrl)
    subscriber.on('error', this.trouble)
    subscriber.on('message', (_channel, message: string) => this.hear(message))
    subscriber.on('ready', () => {
      subscriber.subscribe(this.channel).then(() => this.ears.callAll(), this.trouble)
    })
    return subscriber
  }

  private publish(topic: string): void {
    this.unsent.add(topic)
    if (this.publisher.status !== 'ready') return
    this.publisher
      .publish(this.channel, `${this.origin} ${topic}`)
      .then(() => this.unsent.delete(topic), this.trouble)
  }

  private hear(message: string): void {
    const separator = message.indexOf(' ')
    if (message.slice(0, separator) !== this.origin) this.ears.call(message.slice(separator + 1))
  }
}

/** Who listens in this process. */
class Ears {
  private readonly byTopic = new Map<string, Set<{ readonly ear: () => void }>>()

  constructor(private readonly onError: (error: Error) => void) {}

  add(topic: string, ear: () => void): () => void {
    const listener = { ear }
    const listeners = this.byTopic.get(topic) ?? new Set()
    this.byTopic.set(topic, listeners.add(listener))

    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.byTopic.get(topic) === listeners) this.byTopic.delete(topic)
    }
  }

  call(topic: string): void {
    for (const { ear } of this.byTopic.get(topic) ?? []) {
      try {
        ear()
      } catch (error) {
        this.onError(toError(error))
      }
    }
  }

  callAll(): void {
    for (const topic of this.byTopic.keys()) this.call(topic)
  }

  clear(): void {
    this.byTopic.clear()
  }
}

function warn(error: Error): void {
  process.emitWarning(error)
}
