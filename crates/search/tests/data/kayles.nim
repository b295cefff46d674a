papamu nimbers 1
game kayles
rules normal
claim none
lemmas 6
1 1
2 2
3 3
1 4
4 5
3 6
sha256 6c8951bf4ab9d9606197371f480940939820e2592d2232a29171b5004c1944c6
