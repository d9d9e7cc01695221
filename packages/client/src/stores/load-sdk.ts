/** The official SDK's server types, loaded when they are needed: sessions alone do without them. */
export const loadSdk = () => import('@holdword/protocol/internal/sdk');
