import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { consumerConnection, oncePerMinute, producerConnection } from '../platform/redis/redis-connection.ts'
import { toError } from './retry-delay.ts'

/**
 * Notifies subscribers that a topic may have new data. A notification carries no data, and can come without new data.
 */
export interface Notifier {
  /**
   * Calls every subscriber of the topic, in every process. It does not throw, and does not wait for other processes.
   */
  notify(topic: string): void

  /** Calls the subscriber at each notification of the topic, until the returned function is called. */
  subscribe(topic: string, subscriber: () => void): () => void

  close(): Promise<void>
}

export interface NotifierOptions {
  /** Receives errors of subscribers and, at most once a minute, Redis connection errors. */
  readonly onError?: (error: Error) => void
}

export function createInProcessNotifier(options: NotifierOptions = {}): Notifier {
  const subscribers = new Subscribers(options.onError ?? warn)

  return {
    notify: (topic) => subscribers.call(topic),
    subscribe: (topic, subscriber) => subscribers.add(topic, subscriber),
    close: async () => subscribers.clear(),
  }
}

const FLUSH_TIMEOUT_MS = 1_000
const POLL_INTERVAL_MS = 5

export interface RedisNotifierOptions extends NotifierOptions {
  readonly redisUrl: string
  readonly prefix: string
}

/**
 * Creates a notifier across processes. A process misses notifications while it is not connected to Redis. After each
 * connect, including the first, it therefore calls all its subscribers once.
 */
export function createRedisNotifier(options: RedisNotifierOptions): Notifier {
  return new RedisNotifier(options)
}

class RedisNotifier implements Notifier {
  /**
   * Identifies the notifications of this notifier. It ignores them, because `notify` has already called its
   * subscribers.
   */
  private readonly senderId = randomUUID()
  private readonly channel: string
  private readonly subscribers: Subscribers
  private readonly reportError: (error: Error) => void
  private readonly publisher
  private readonly subscriber
  private readonly unsent = new Set<string>()
  private closed = false

  constructor({ redisUrl, prefix, onError = warn }: RedisNotifierOptions) {
    // Processes of other versions use the same name.
    this.channel = `${prefix}:doorbell`
    this.subscribers = new Subscribers(onError)
    this.reportError = oncePerMinute((error) => {
      if (!this.closed) onError(error)
    })
    this.publisher = this.connectPublisher(redisUrl)
    this.subscriber = this.connectSubscriber(redisUrl)
  }

  notify(topic: string): void {
    if (this.closed) return
    this.subscribers.call(topic)
    this.publish(topic)
  }

  subscribe(topic: string, subscriber: () => void): () => void {
    return this.subscribers.add(topic, subscriber)
  }

  async close(): Promise<void> {
    this.closed = true
    this.subscribers.clear()
    await this.flush()
    this.publisher.disconnect()
    this.subscriber.disconnect()
  }

  /**
   * Waits until all notifications are sent, at most `FLUSH_TIMEOUT_MS`: a process that notifies once and exits may not
   * be connected yet.
   */
  private async flush(): Promise<void> {
    const until = Date.now() + FLUSH_TIMEOUT_MS
    while (this.unsent.size > 0 && Date.now() < until) await sleep(POLL_INTERVAL_MS)
  }

  private connectPublisher(redisUrl: string) {
    const publisher = producerConnection(redisUrl)
    publisher.on('error', this.reportError)
    publisher.on('ready', () => {
      for (const topic of this.unsent) this.publish(topic)
    })
    return publisher
  }

  private connectSubscriber(redisUrl: string) {
    const subscriber = consumerConnection(redisUrl)
    subscriber.on('error', this.reportError)
    subscriber.on('message', (_channel, message: string) => this.onMessage(message))
    subscriber.on('ready', () => {
      subscriber.subscribe(this.channel).then(() => this.subscribers.callAll(), this.reportError)
    })
    return subscriber
  }

  private publish(topic: string): void {
    this.unsent.add(topic)
    if (this.publisher.status !== 'ready') return
    this.publisher
      .publish(this.channel, `${this.senderId} ${topic}`)
      .then(() => this.unsent.delete(topic), this.reportError)
  }

  private onMessage(message: string): void {
    const separator = message.indexOf(' ')
    if (message.slice(0, separator) !== this.senderId) this.subscribers.call(message.slice(separator + 1))
  }
}

/** Subscribers in this process, by topic. */
class Subscribers {
  private readonly byTopic = new Map<string, Set<{ readonly subscriber: () => void }>>()

  constructor(private readonly onError: (error: Error) => void) {}

  add(topic: string, subscriber: () => void): () => void {
    // The wrapper is unique, so that one function can subscribe to a topic several times.
    const listener = { subscriber }
    const listeners = this.byTopic.get(topic) ?? new Set()
    this.byTopic.set(topic, listeners.add(listener))

    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.byTopic.get(topic) === listeners) this.byTopic.delete(topic)
    }
  }

  call(topic: string): void {
    for (const { subscriber } of this.byTopic.get(topic) ?? []) {
      try {
        subscriber()
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
