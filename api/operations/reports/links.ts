/** Where a report is found and verified by its hash. */
import { z } from 'zod'

export const Links = z.object({ verify: z.string(), signed: z.string().describe('The file that npm run verify-report takes'), canonical: z.string(), pdf: z.string() })

export const linksOf = (hash: string, baseUrl: string): z.infer<typeof Links> => {
  const verify = `${baseUrl}/v1/verify/${hash}`
  return { verify, signed: `${verify}/signed`, canonical: `${verify}/canonical`, pdf: `${verify}/pdf` }
}
