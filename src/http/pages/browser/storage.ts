import type { Storage } from '@graphiql/toolkit'

const PREFIX = 'graphiql:'
/** Items with the operations that were run. GraphiQL keeps the headers of each, and with them the keys. */
const HISTORIES = [`${PREFIX}queries`, `${PREFIX}favorites`]

const ownKeys = () => Object.keys(localStorage).filter((key) => key.startsWith(PREFIX))

const withoutHeaders = (key: string, value: string): string =>
  HISTORIES.includes(key)
    ? JSON.stringify(JSON.parse(value), (member, content) => (member === 'headers' ? undefined : content))
    : value

/** Storage of GraphiQL in the browser. It never contains headers, because they contain a key. */
export const storage: Storage = {
  getItem: (key) => localStorage.getItem(key),
  setItem: (key, value) => localStorage.setItem(key, withoutHeaders(key, value)),
  removeItem: (key) => localStorage.removeItem(key),
  get length() {
    return ownKeys().length
  },
  clear() {
    for (const key of ownKeys()) localStorage.removeItem(key)
  },
}

/** Removes headers that earlier versions of the page stored. */
for (const key of HISTORIES) {
  const stored = storage.getItem(key)
  if (stored !== null) storage.setItem(key, stored)
}
