import { MessageType, parseMessage } from 'graphql-ws'
import { isNestedDeeper } from '../../platform/json-depth.ts'
import { MAX_DEPTH } from '../bodies/json-body.ts'

/** Types of messages that only servers send. */
const SERVER_MESSAGES: ReadonlySet<MessageType> = new Set([
  MessageType.ConnectionAck,
  MessageType.Next,
  MessageType.Error,
])

/** Replaces the payload of an operation that is refused without a look at it. */
const NO_PAYLOAD = { query: '' }

/** Message of a client, translated for graphql-ws. */
interface TranslatedMessage {
  readonly text: string
  /** Call it when graphql-ws has handled the message. It releases the ID of an operation that the message started. */
  onHandled(): void
}

/**
 * Operation IDs of one socket. A client can use an ID again as soon as it has completed the operation. graphql-ws may
 * still be ending the old operation then. It knows operations only by ID, so it would send an old result under the ID
 * of the new operation, and would forget the new one. graphql-ws therefore gets a new internal ID for each operation.
 */
export class OperationIds {
  private count = 0
  /** Internal IDs by the ID of the client. */
  private readonly internal = new Map<string, string>()
  /** IDs of the client by internal ID. */
  private readonly external = new Map<string, string>()
  /** Internal IDs of operations whose message was nested too deeply. */
  private readonly tooDeep = new Set<string>()

  /** Returns the client's ID of an operation; undefined if the client has completed it. */
  clientId(internalId: string): string | undefined {
    return this.external.get(internalId)
  }

  /** Whether the message of an operation was nested too deeply, so that its payload was removed. */
  isTooDeep(internalId: string): boolean {
    return this.tooDeep.has(internalId)
  }

  /**
   * Replaces the ID in a message of the client. Of a message that is nested too deeply, only the start of an operation
   * is translated, without its payload and unknown members; any other one is `nested`. Returns `unexpected` for a
   * message that only servers send. Returns `duplicate` if the client starts an operation with the ID of an active one.
   * Returns null if the client completes an operation that has ended.
   */
  incoming(text: string): TranslatedMessage | 'nested' | 'unexpected' | 'duplicate' | null {
    const message = parsedOrNull(text)
    const isTooDeep = isNestedDeeper(text, MAX_DEPTH)
    if (isTooDeep && message?.type !== MessageType.Subscribe) return 'nested'
    if (message && SERVER_MESSAGES.has(message.type)) return 'unexpected'
    if (message?.type === MessageType.Subscribe) {
      if (this.internal.has(message.id)) return 'duplicate'
      const id = this.add(message.id)
      if (isTooDeep) this.tooDeep.add(id)
      const translated = isTooDeep ? { type: message.type, id, payload: NO_PAYLOAD } : { ...message, id }
      return { text: JSON.stringify(translated), onHandled: () => this.remove(id) }
    }
    if (message?.type === MessageType.Complete) {
      const id = this.internal.get(message.id)
      if (id === undefined) return null
      this.remove(id)
      return { text: JSON.stringify({ ...message, id }), onHandled: () => undefined }
    }
    return { text, onHandled: () => undefined }
  }

  /** Replaces the ID in a message to the client. Null if the client has completed the operation. */
  outgoing(text: string): string | null {
    const internalId = MESSAGE_ID.exec(text)?.[1]
    if (internalId === undefined) return text
    const id = this.external.get(internalId)
    return id === undefined ? null : text.replace(MESSAGE_ID, () => `{"id":${JSON.stringify(id)}`)
  }

  private add(clientId: string): string {
    const internalId = String((this.count += 1))
    this.internal.set(clientId, internalId)
    this.external.set(internalId, clientId)
    return internalId
  }

  private remove(internalId: string): void {
    const clientId = this.external.get(internalId)
    this.external.delete(internalId)
    this.tooDeep.delete(internalId)
    if (clientId !== undefined) this.internal.delete(clientId)
  }
}

/** Start of a message that graphql-ws sends for an operation. */
const MESSAGE_ID = /^\{"id":"(\d+)"/

/** Parses a message. Returns null for an invalid one, for which graphql-ws then closes the socket. */
function parsedOrNull(text: string) {
  try {
    return parseMessage(text)
  } catch {
    return null
  }
}
