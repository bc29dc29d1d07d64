import { Agent, buildConnector, fetch } from 'undici'
import { dropInterimResponses } from './interim-responses.ts'

const connect = buildConnector({})

const agent = new Agent({
  connect: (target, done) =>
    connect(target, (error, socket) => {
      if (error) return done(error, null)
      dropInterimResponses(socket)
      done(null, socket)
    }),
})

const fetchWithAgent = (input: string | URL, options?: Parameters<typeof fetch>[1]) =>
  fetch(input, { ...options, dispatcher: agent })

/**
 * `fetch` for servers whose addresses nobody else chooses. Unlike the global `fetch`, it accepts interim responses that
 * it did not request.
 */
// Only the types of the two functions differ.
export const unguardedFetch = fetchWithAgent as unknown as typeof globalThis.fetch
