import { BlockList, isIPv4 } from 'node:net'

/** Ranges outside of the public internet, each with its purpose (special-purpose registries of IANA). */
const reserved: readonly (readonly [range: string, purpose: string])[] = [
  ['0.0.0.0/8', 'an address of this host'],
  ['10.0.0.0/8', 'a private address'],
  ['100.64.0.0/10', "an address inside a carrier's network"],
  ['127.0.0.0/8', 'a loopback address'],
  ['168.63.129.16/32', "an address of a cloud's own services"],
  ['169.254.0.0/16', 'a link-local address'],
  ['172.16.0.0/12', 'a private address'],
  ['192.0.0.0/24', 'an address for protocols'],
  ['192.0.2.0/24', 'an address for documentation'],
  ['192.31.196.0/24', 'an address for protocols'],
  ['192.52.193.0/24', 'an address for protocols'],
  ['192.88.99.0/24', 'an address of a 6to4 relay'],
  ['192.168.0.0/16', 'a private address'],
  ['192.175.48.0/24', 'an address for protocols'],
  ['198.18.0.0/15', 'an address for benchmarks'],
  ['198.51.100.0/24', 'an address for documentation'],
  ['203.0.113.0/24', 'an address for documentation'],
  ['224.0.0.0/4', 'a multicast address'],
  ['255.255.255.255/32', 'the broadcast address'],
  ['240.0.0.0/4', 'a reserved address'],
  ['::/128', 'an address of this host'],
  ['::1/128', 'a loopback address'],
  ['::/96', 'an IPv4-compatible address'],
  ['64:ff9b::/96', 'a NAT64 address'],
  ['64:ff9b:1::/48', 'a NAT64 address'],
  ['100::/64', 'a discard address'],
  ['2001::/32', 'a Teredo address'],
  ['2001:db8::/32', 'an address for documentation'],
  ['2001::/23', 'an address for protocols'],
  ['2002::/16', 'a 6to4 address'],
  ['2620:4f:8000::/48', 'an address for protocols'],
  ['3ffe::/16', 'an address of the former 6bone'],
  ['3fff::/20', 'an address for documentation'],
  ['5f00::/16', 'an address for segment routing'],
  ['fc00::/7', 'a unique local address'],
  ['fe80::/10', 'a link-local address'],
  ['fec0::/10', 'a site-local address'],
  ['ff00::/8', 'a multicast address'],
]

/**
 * Returns a predicate for addresses in these ranges. An IPv4 range also contains the same addresses mapped
 * into IPv6.
 */
export function addressSet(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const range of ranges) addRange(list, range)
  return (address) => list.check(withoutZone(address), isIPv4(address) ? 'ipv4' : 'ipv6')
}

function addRange(list: BlockList, range: string): void {
  const [network = '', length] = range.split('/')
  const [family, maxLength] = isIPv4(network) ? (['ipv4', 32] as const) : (['ipv6', 128] as const)
  list.addSubnet(network, Number(length ?? maxLength), family)
}

const withoutZone = (address: string): string => address.split('%', 1)[0] ?? ''

const isMapped = addressSet(['::ffff:0:0/96'])
/** IPv6 space that is assigned to the public internet; a range outside of it is not public. */
const isUnicast = addressSet(['2000::/3'])
const kinds = reserved.map(([range, purpose]) => ({ includes: addressSet([range]), purpose }))

/** Returns why an address is not public, such as `a private address`; null if it is public. */
export function reservedKindOf(address: string): string | null {
  const kind = kinds.find(({ includes }) => includes(address))
  if (kind) return kind.purpose
  return isIPv4(address) || isMapped(address) || isUnicast(address) ? null : 'not a public address'
}
