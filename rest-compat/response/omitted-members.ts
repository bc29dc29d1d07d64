/**
 * Members that a record leaves out although the graph has them, by the code of the condition. A connection whose data
 * is being deleted is a stub without settings (gaps 1.1).
 */
export const omittedMembers: Readonly<Record<string, string>> = {
  'Connection.options': "of.status === 'DELETING' || of.status === 'DELETED'",
}
