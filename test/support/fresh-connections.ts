import { Agent, setGlobalDispatcher } from 'undici'

/** Keeps no connection from one request of a test to a later one: a server may close it at the moment of its next use. */
setGlobalDispatcher(new Agent({ keepAliveTimeout: 1, keepAliveMaxTimeout: 1 }))
