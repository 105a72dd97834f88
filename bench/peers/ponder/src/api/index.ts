/** Ponder serves nothing here; it asks for this file all the same. */
import { Hono } from 'hono'

export default new Hono()
