import { openLink, reconnect } from '@odograph/client/browser'

const pages = { linkUrl: 'https://link.example.com', publishableKey: 'pk_prod_of_yours' }

/** Opens the link pages over your page on a click. The fleet chooses its provider and signs in. */
export async function linkAccount(customer: string) {
  const outcome = await openLink({ ...pages, externalId: customer, backfill: { days: 30 } })
  if (outcome.status === 'cancelled') return false
  const { publicToken } = outcome
  // Your server exchanges the token once, within 30 minutes.
  return (await fetch('/linked', { method: 'POST', body: publicToken })).ok
}

/** Opens the sign-in of a disconnected connection. The fleet signs in to the same account again. */
export const signInAgain = (connectionId: string) => reconnect({ ...pages, connectionId, mode: 'window' })
