import { Agent, setGlobalDispatcher } from 'undici'

/**
 * Disables keep-alive between requests of a test: a server may close an idle connection at the moment of its
 * next use.
 */
setGlobalDispatcher(new Agent({ keepAliveTimeout: 1, keepAliveMaxTimeout: 1 }))
