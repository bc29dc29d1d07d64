import type { ConnectionSnapshot, Event } from '../generated.ts'

/** An event as a session reads it. Its connection has neither `token` nor `linkUrl`. */
export type SessionEvent = WithoutSecrets<Event>

type WithoutSecrets<Any> = Any extends { readonly detail: { readonly connection: ConnectionSnapshot } }
  ? Omit<Any, 'detail'> & {
      readonly detail: Omit<Any['detail'], 'connection'> & {
        readonly connection: Omit<ConnectionSnapshot, 'token' | 'linkUrl'>
      }
    }
  : Any
