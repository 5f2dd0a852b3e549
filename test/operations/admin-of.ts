import type { ServeProcess } from '../harness/spawn-serve.ts';
import { adminAt, type Admin } from './admin.ts';

/** Of `serve --json`, once it is ready. */
export async function adminOf(serve: ServeProcess): Promise<Admin> {
  await serve.ready;
  const { admin_port } = JSON.parse(serve.stdout()) as { admin_port: number };
  return adminAt(admin_port);
}
