/**
 * Members that a REST record omits on a condition, which is code. A connection whose data is being deleted is
 * a stub without settings.
 */
export const omittedMembers: Readonly<Record<string, string>> = {
  'Connection.options': "of.status === 'DELETING' || of.status === 'DELETED'",
}
