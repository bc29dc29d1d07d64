import { openLink, reconnect } from '@odograph/client/browser'

const place = { linkUrl: 'https://link.example.com', publishableKey: 'pk_prod_of_yours' }

/** For a click: the link pages open over yours, and the fleet chooses its provider and signs in. */
export async function linkAccount(customer: string) {
  const outcome = await openLink({ ...place, externalId: customer, backfill: { days: 30 } })
  if (outcome.status === 'cancelled') return false
  const { publicToken } = outcome
  // Your server exchanges it: it is good once, for half an hour.
  return (await fetch('/linked', { method: 'POST', body: publicToken })).ok
}

/** For a connection that has been disconnected: the fleet signs in to the same account again. */
export const signInAgain = (connectionId: string) => reconnect({ ...place, connectionId, mode: 'window' })
