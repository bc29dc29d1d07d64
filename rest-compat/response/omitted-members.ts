/**
 * Members that a REST record omits on a condition. The condition is code of the serializer, in which `of` is the
 * record. A connection whose data is deleted or being deleted has no options any more.
 */
export const omittedMembers: Readonly<Record<string, string>> = {
  'Connection.options': "of.status === 'DELETING' || of.status === 'DELETED'",
}
