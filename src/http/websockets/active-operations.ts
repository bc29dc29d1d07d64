import { MessageType, parseMessage } from 'graphql-ws'
import { OperationLifetime } from '../../gateway/load/operation-lifetime.ts'
import { isNestedDeeper } from '../../platform/json-depth.ts'
import { MAX_DEPTH } from '../bodies/json-body.ts'
import { clientLeft, clientStopped } from '../requests/operation-lifetimes.ts'

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

interface ActiveOperation {
  /** ID as the client chose it. */
  readonly clientId: string
  /** Whether its message was nested too deeply, so that its payload was removed. */
  readonly isTooDeep: boolean
  /** Ends when the client completes the operation or the socket closes. */
  readonly lifetime: OperationLifetime
}

/**
 * Active operations of one socket. A client can use an ID again as soon as it has completed the operation. graphql-ws
 * may still be ending the old operation then. It knows operations only by ID, so it would send an old result under the
 * ID of the new operation, and would forget the new one. graphql-ws therefore gets a new internal ID for each operation.
 */
export class ActiveOperations {
  private count = 0
  private readonly internalIds = new Map<string, string>()
  private readonly operations = new Map<string, ActiveOperation>()

  /** Returns an operation by its internal ID; undefined if the client has completed it. */
  get(internalId: string): ActiveOperation | undefined {
    return this.operations.get(internalId)
  }

  /** Ends the lifetimes of all operations. Call it when the socket closes. */
  end(): void {
    for (const { lifetime } of this.operations.values()) lifetime.end(clientLeft)
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
      if (this.internalIds.has(message.id)) return 'duplicate'
      const id = this.add(message.id, isTooDeep)
      const translated = isTooDeep ? { type: message.type, id, payload: NO_PAYLOAD } : { ...message, id }
      return { text: JSON.stringify(translated), onHandled: () => this.remove(id) }
    }
    if (message?.type === MessageType.Complete) {
      const id = this.internalIds.get(message.id)
      if (id === undefined) return null
      this.remove(id)?.lifetime.end(clientStopped)
      return { text: JSON.stringify({ ...message, id }), onHandled: () => undefined }
    }
    return { text, onHandled: () => undefined }
  }

  /** Replaces the ID in a message to the client. Null if the client has completed the operation. */
  outgoing(text: string): string | null {
    const internalId = MESSAGE_ID.exec(text)?.[1]
    if (internalId === undefined) return text
    const operation = this.operations.get(internalId)
    return operation ? text.replace(MESSAGE_ID, () => `{"id":${JSON.stringify(operation.clientId)}`) : null
  }

  private add(clientId: string, isTooDeep: boolean): string {
    const internalId = String((this.count += 1))
    this.internalIds.set(clientId, internalId)
    this.operations.set(internalId, { clientId, isTooDeep, lifetime: new OperationLifetime() })
    return internalId
  }

  private remove(internalId: string): ActiveOperation | undefined {
    const operation = this.operations.get(internalId)
    this.operations.delete(internalId)
    if (operation) this.internalIds.delete(operation.clientId)
    return operation
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
