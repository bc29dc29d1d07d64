import { Agent, request } from 'node:http'
import type { FloodInput, FloodResult } from './flood.ts'

/** Program of a flood. Its parent sends the input, then `stop`. It sends `begun` and the result. */

let going = true
let answered = 0
let failed = 0
const agent = new Agent({ keepAlive: true })

process.once('message', (input: FloodInput) => void flood(input))

async function flood({ url, headers, clients }: FloodInput): Promise<void> {
  const began = performance.now()
  process.once('message', () => (going = false))
  const runs = Array.from({ length: clients }, async () => {
    while (going) {
      const status = await get(url, headers).catch((error: unknown) => String(error))
      if (status !== 200 && failed++ === 0) console.log(`first failure of the flood: ${status}`)
      if (answered++ === 0) process.send!('begun')
    }
  })
  await Promise.all(runs)
  const seconds = (performance.now() - began) / 1000
  process.send!({ perSecond: answered / seconds, failed } satisfies FloodResult)
  agent.destroy()
}

/** Resolves to the status when the whole body has arrived. The body is not kept. */
function get(url: string, headers: FloodInput['headers']): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers }, (response) => {
      response.on('error', reject)
      response.on('end', () => resolve(response.statusCode ?? 0))
      response.resume()
    })
    sent.on('error', reject)
    sent.end()
  })
}
