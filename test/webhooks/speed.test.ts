import { test } from 'vitest'
import { Worker } from 'node:worker_threads'
import { CourierRig, SECRET } from './rig.ts'
import { createServer } from 'node:http'
import { eventually } from '../sync/rig.ts'
test('speed', async () => {
  const store = (process.env['STORE'] ?? 'mariadb') as 'mariadb'
  const EP = Number(process.env['EP'] ?? 1),
    N = Number(process.env['N'] ?? 20000)
  await using rig = await CourierRig.start(store)
  const worker = new Worker(
    `
   const { createServer } = require('node:http'); const { parentPort } = require('node:worker_threads')
   let n = 0; const s = createServer((q, r) => { q.resume(); q.on('end', () => { n++; r.writeHead(204).end() }) })
   s.listen(0, '127.0.0.1', () => parentPort.postMessage(s.address().port)); parentPort.on('message', () => parentPort.postMessage('n' + n))`,
    { eval: true },
  )
  const port = await new Promise((r) => worker.once('message', r))
  await rig.log(N)
  await rig.endpoints(Array.from({ length: EP }, (_, i) => `http://127.0.0.1:${port}/${i}`))
  const t = performance.now()
  rig.courier()
  await eventually(async () => {
    await new Promise((r) => setTimeout(r, 200))
    return Number((await rig.one<any>('SELECT SUM(`position`) AS n FROM `webhook_progress`')).n) >= N * EP
  })
  const s = (performance.now() - t) / 1000
  console.log(`SPEED ${EP} endpoints ${N} events: ${((N * EP) / s).toFixed(0)}/s`)
  await worker.terminate()
}, 300000)
