import { setTimeout as wait } from 'node:timers/promises'
import { KillableMariadb } from '../../support/database/killable-mariadb.ts'
import { freePort } from '../../support/queue/temporary-redis.ts'

const PROVIDER = '/usr/lib/galera/libgalera_smm.so'

/** One node of the cluster, a separate process. */
export interface Node {
  readonly name: string
  readonly mariadb: KillableMariadb
  /** Address of the group communication. */
  readonly gcomm: string
}

/** Three nodes of MariaDB with Galera on loopback, from the packages of the distribution. */
export class GaleraCluster implements AsyncDisposable {
  private constructor(readonly nodes: readonly Node[]) {}

  static async start(): Promise<GaleraCluster> {
    const gcomms = await Promise.all([0, 1, 2].map(async () => `127.0.0.1:${await freePort()}`))
    const nodes: Node[] = []
    for (const [at, gcomm] of gcomms.entries()) {
      const others = gcomms.filter((other) => other !== gcomm)
      nodes.push({
        name: `node ${at + 1}`,
        gcomm,
        mariadb: await KillableMariadb.prepare(await optionsOf(`node${at + 1}`, gcomm, others)),
      })
    }
    await nodes[0]?.mariadb.start(['--wsrep-new-cluster'])
    for (const node of nodes.slice(1)) await node.mariadb.start()
    const cluster = new GaleraCluster(nodes)
    await cluster.hasSize(3)
    return cluster
  }

  /** Returns a database URL that names all nodes. */
  url(database: string): string {
    return `mysql://root@${this.nodes.map(({ mariadb }) => `127.0.0.1:${mariadb.port}`).join(',')}/${database}`
  }

  /** Waits until a node is synced in a cluster of this size. */
  async hasSize(size: number, node = this.nodes[0] as Node): Promise<void> {
    for (;;) {
      const status = await statusOf(node).catch(() => null)
      if (status?.get('wsrep_cluster_size') === String(size) && status.get('wsrep_ready') === 'ON') return
      await wait(100)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { mariadb } of this.nodes) await mariadb[Symbol.asyncDispose]()
  }
}

export async function statusOf({ mariadb }: Node): Promise<Map<string, string>> {
  const rows = await mariadb.query<{ Variable_name: string; Value: string }>("SHOW STATUS LIKE 'wsrep%'")
  return new Map(rows.map((row) => [row.Variable_name, row.Value]))
}

async function optionsOf(name: string, gcomm: string, others: readonly string[]): Promise<string[]> {
  const provider = [
    `base_host=127.0.0.1`,
    `gmcast.listen_addr=tcp://${gcomm}`,
    `ist.recv_addr=127.0.0.1:${await freePort()}`,
    'gcache.size=64M',
    // The cluster expels a dead node after three seconds instead of five: nothing commits until then.
    'evs.suspect_timeout=PT3S',
    'evs.inactive_timeout=PT10S',
  ]
  return [
    '--wsrep-on=ON',
    `--wsrep-provider=${PROVIDER}`,
    `--wsrep-cluster-address=gcomm://${others.join(',')}`,
    '--wsrep-cluster-name=odograph',
    `--wsrep-node-name=${name}`,
    `--wsrep-node-address=${gcomm}`,
    `--wsrep-provider-options=${provider.join(';')}`,
    '--wsrep-sst-method=rsync',
    `--wsrep-sst-receive-address=127.0.0.1:${await freePort()}`,
    '--binlog-format=ROW',
    '--innodb-autoinc-lock-mode=2',
    '--innodb-snapshot-isolation=ON',
    // Data that a node loses with its machine is on the other nodes.
    '--innodb-flush-log-at-trx-commit=2',
  ]
}
