/**
 * An address of MySQL may name several hosts, `mysql://user@one:3306,two:3306/odograph`: the nodes of a cluster, in
 * the order in which they are asked. Gives an address for each.
 */
export function mysqlHosts(url: string): string[] {
  const [, start = '', hosts = '', end = ''] = /^(mysql:\/\/(?:[^@/]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? []
  return hosts.split(',').map((host) => `${start}${host}${end}`)
}
