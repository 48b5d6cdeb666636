from django.db import connection
from django.http import JsonResponse
from django.views import View

class OrderSearch(View):
    ORDERS = {"created": "created_at", "total": "total_cents"}

    def get(self, request):
        column = self.ORDERS.get(request.GET.get("order"), "created_at")
        with connection.cursor() as cursor:
            cursor.execute(
                f"SELECT id, total FROM shop_order WHERE owner_id = %s ORDER BY {column}",
                [request.user.id],
            )
            rows = cursor.fetchall()
        return JsonResponse({"orders": rows})
